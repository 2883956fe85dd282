/** Set on every answer by the front; also how the router learns it. */
export const REQUEST_ID = 'x-request-id';
