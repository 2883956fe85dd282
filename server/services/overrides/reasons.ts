/** What was never sent will not be sent any more. */
export const NEVER_SENT = 'it was not delivered in time';
export const ENDED_UNSENT = 'it ended before it was sent';
export const NO_ANSWER = 'it was sent; no answer came';
export const WAITS_FOR_BREAKER = 'the instance has not created this breaker yet';
export const BREAKER_NEVER_CAME = 'the instance did not create this breaker in time';
export const RESTARTS_TOO_OFTEN = 'stopped: restarts too often';
