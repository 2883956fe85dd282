/** The provider's id for the library; what tells people apart is issuer and subject. */
export const OIDC = 'oidc';
export const LIBRARY_PATH = '/api/auth';
export const OIDC_CALLBACK = `${LIBRARY_PATH}/callback/${OIDC}`;
