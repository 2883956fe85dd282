/**
 * What is wrong with a build whose manifest of Server Functions this is; null when there are none.
 * @param {string} manifest
 * @returns {string | null}
 */
export function serverFunctionProblem(manifest) {
  const { node = {}, edge = {} } = JSON.parse(manifest);
  const found = new Set([...Object.keys(node), ...Object.keys(edge)]).size;
  return found === 0
    ? null
    : `${found} Server Function(s) in app/: use the API instead ("use server" is refused).`;
}
