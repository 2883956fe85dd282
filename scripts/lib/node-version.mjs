/**
 * The Node versions that the console runs on. Written in plain old syntax on purpose: an old Node
 * must be able to read this file in order to say that it is too old.
 */
export var SUPPORTED_NODE = '^20.19 || ^22.12 || >=24';

/** True for 20.19 and newer 20s, 22.12 and newer 22s, and everything from 24 on. */
export function isSupportedNode(version) {
  var match = /^v?(\d+)\.(\d+)\./.exec(version);
  if (!match) return false;
  var major = Number(match[1]);
  var minor = Number(match[2]);
  if (major >= 24) return true;
  if (major === 22) return minor >= 12;
  return major === 20 && minor >= 19;
}

/** One line for a person, or null when the version will do. */
export function nodeComplaint(version) {
  if (isSupportedNode(version)) return null;
  return 'Recloser needs Node ' + SUPPORTED_NODE + ', this is ' + version + '. See nodejs.org.';
}

export function requireSupportedNode() {
  var complaint = nodeComplaint(process.version);
  if (complaint === null) return;
  console.error(complaint);
  process.exit(1);
}
