export { filterPatch } from './filter-patch';
export { mergePatches } from './merge-patches';
