export { StateBadge, StateText } from './badge';
export { StateGlyph } from './glyph';
export {
  countsText,
  isState,
  rollUpFreshness,
  STATES_WORST_FIRST,
  stateHatch,
  stateLabel,
  stateTone,
  stateWord,
  type Freshness,
} from './words';
