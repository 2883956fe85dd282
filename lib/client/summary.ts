export type { FleetSummary } from '../live/summary';
