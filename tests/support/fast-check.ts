/**
 * The same histories in every run of the gate, so that a red run is about the change at hand.
 * `FC_SEED=random npm test -- unit` looks for new ones; a seed that fails becomes a test of its own.
 */
import * as fc from 'fast-check';

const wanted = process.env['FC_SEED'] ?? '20261130';
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) });
