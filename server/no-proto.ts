/**
 * [S-22] Without this accessor no text that was parsed can reach the prototype of all objects.
 * `npm start` has Node do the same earlier and in its workers too (`--disable-proto=delete`); this is
 * for whoever starts the file itself.
 */
Reflect.deleteProperty(Object.prototype, '__proto__');
