export { summarize, type FleetSummary } from '../live/summary';
