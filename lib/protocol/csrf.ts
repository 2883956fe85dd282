/** Header of the CSRF token; by itself so that the browser needs no schema library for it. */
export const CSRF_HEADER = 'x-csrf';
