import type { Core } from '../core';

/** More breakers than this under one text make it no search. */
const MAX_BREAKERS = 200;

/** Ids of breakers whose name, target or service holds the text: rows name them by id only. */
export function aboutText({ fleet }: Core, text: string | undefined): string[] {
  if (text === undefined) return [];
  const wanted = text.toLowerCase();
  const found: string[] = [];
  for (const [id, { record }] of fleet.breakers) {
    const service = fleet.services.get(record.serviceId)?.record.name ?? '';
    const names = [record.name, record.target, service, `${service} / ${record.name}`];
    if (names.some((one) => one.toLowerCase().includes(wanted))) found.push(id);
    if (found.length === MAX_BREAKERS) break;
  }
  return found;
}
