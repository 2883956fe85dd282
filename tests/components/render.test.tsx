import { findingFixtures } from '@/components/design/finding-fixtures';
import { FindingCard } from '@/components/diagnosis/finding-card';
import { FindingMark } from '@/components/diagnosis/finding-mark';
import { Calm } from '@/components/wall/wall-view';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { AuditTable } from '@/components/audit/audit-table';
import { detailsText, subjectOf } from '@/components/audit/details-text';
import { everyState } from '@/components/design/breaker-fixtures';
import { auditFixtures, instanceFixtures, serviceFixtures } from '@/components/design/fixtures';
import { BreakerCard } from '@/components/fleet/card';
import { RowCells } from '@/components/fleet/cells';
import { NoAgents, NoBreakers, NothingMatches, Unreachable } from '@/components/fleet/empty';
import { InstanceTable } from '@/components/services/instance-table';
import { ServiceTable } from '@/components/services/service-table';
import { sixLines } from '@/components/services/snippet';
import { tokenProblems } from '@/components/services/token-draft';
import { LostBanner } from '@/components/shell/connection-banner';
import { rollUpFreshness, stateLabel } from '@/components/state';

const NOW = 1_800_000_000_000;

describe('rows and cards', () => {
  it.each(everyState(NOW).map((row) => [row.id, row] as const))(
    '%s says its state in words',
    (_id, row) => {
      const label = stateLabel(row.state, rollUpFreshness(row.instances));
      expect(renderToStaticMarkup(<RowCells row={row} />)).toContain(label);
      expect(renderToStaticMarkup(<BreakerCard row={row} />)).toContain(label);
    },
  );

  it('renders names as text, whatever they hold', () => {
    const [row] = everyState(NOW);
    const hostile = { ...row!, name: '<img src=x onerror=alert(1)>', service: '"><script>' };
    const markup = renderToStaticMarkup(<RowCells row={hostile} />);
    expect(markup).not.toContain('<img');
    expect(markup).not.toContain('<script');
  });
});

describe('empty and lost', () => {
  it('has different words for each reason', () => {
    const texts = [
      <NoAgents key="a" />,
      <NoBreakers key="b" instances={3} />,
      <NothingMatches key="c" total={9} onClear={() => undefined} />,
      <Unreachable key="d" />,
    ].map((element) => /<h2[^>]*>([^<]*)/.exec(renderToStaticMarkup(element))?.[1]);
    expect(new Set(texts).size).toBe(4);
  });

  it('the banner says since when, and what a refused connection needs', () => {
    const banner = (connection: Parameters<typeof LostBanner>[0]['connection']) =>
      renderToStaticMarkup(<LostBanner connection={connection} now={NOW + 12_000} />);
    expect(banner({ status: 'stale', since: NOW })).toContain('(12 s)');
    expect(banner({ status: 'offline', since: NOW, refused: true })).toContain('Reload the page');
  });
});

describe('services', () => {
  it('shows a clock that is off, losses, and an identity claimed twice', () => {
    const markup = renderToStaticMarkup(<InstanceTable instances={instanceFixtures(NOW)} />);
    for (const text of ['-3.4 s', '312 samples', '14 repeated', 'Claimed twice']) {
      expect(markup).toContain(text);
    }
    expect(renderToStaticMarkup(<ServiceTable services={serviceFixtures(NOW)} />)).toContain(
      '2 live, 1 stale, 1 offline of 4',
    );
    expect(renderToStaticMarkup(<AuditTable rows={auditFixtures(NOW)} />)).toContain('Refused');
  });

  it('fills in six lines of code, quoting what it is given', () => {
    const code = sixLines({ token: 't', service: "o'neil", environment: 'e' }, 'http://here');
    expect(code.split('\n')).toHaveLength(6);
    expect(code).toContain("service: 'o\\'neil'");
  });

  it('names what a token still needs', () => {
    const draft = {
      name: '',
      servicePattern: 'a*b',
      environment: ' ',
      expiresInDays: '90',
    } as const;
    expect(Object.keys(tokenProblems(draft)).sort()).toEqual([
      'environment',
      'name',
      'servicePattern',
    ]);
    expect(tokenProblems({ ...draft, name: 'x', servicePattern: 'a*', environment: 'e' })).toEqual(
      {},
    );
  });
});

describe('diagnosis', () => {
  const [harm, drift, past] = findingFixtures(NOW);

  it('shows the sentence, the figures, and the option with both values', () => {
    const markup = renderToStaticMarkup(harm && <FindingCard finding={harm} />);
    const texts = ['Flapping', 'Hurts now', '5 times within 41 s', '1.84 s', '100 %', '10000'];
    for (const text of [...texts, 'recovery.admission', 'docs/diagnosis.md#flapping']) {
      expect(markup).toContain(text);
    }
  });

  it('tells severity by shape, and what is past from what is now', () => {
    const shapes = [harm, drift, past].map((finding) =>
      renderToStaticMarkup(finding && <FindingCard finding={finding} />).match(
        /fill="[^"]*"|<circle/g,
      ),
    );
    expect(new Set(shapes.map(String)).size).toBe(3);
    expect(renderToStaticMarkup(past && <FindingCard finding={past} />)).toContain(
      'data-current="false"',
    );
  });

  it('marks a row by number for the eye and by name for a screen reader', () => {
    const markup = renderToStaticMarkup(<FindingMark findings={['flapping', 'config_drift']} />);
    expect(markup).toContain('<span aria-hidden="true">2</span>');
    expect(markup).toContain('Diagnosis: Flapping, Configuration drift');
    expect(renderToStaticMarkup(<FindingMark findings={[]} />)).toBe('');
  });

  it('offers to remove what is offline, and nothing else', () => {
    const instances = instanceFixtures(NOW);
    const offline = instances.filter(({ liveness }) => liveness === 'offline').length;
    const markup = renderToStaticMarkup(
      <InstanceTable instances={instances} onRemove={() => undefined} />,
    );
    expect(markup.match(/Remove<span/g)).toHaveLength(offline);
    expect(renderToStaticMarkup(<InstanceTable instances={instances} />)).not.toContain('Remove');
  });
});

describe('audit', () => {
  it('tells the reason first and leaves ids to the subject', () => {
    const details = { breakerId: 'br_1', kind: 'force_open', reason: 'it is down', note: null };
    expect(detailsText(details)).toBe('reason it is down · kind force_open');
    expect(subjectOf({ subject: 'ovr_1', details }).breakerId).toBe('br_1');
    expect(subjectOf({ subject: 'tok_1', details: { name: 'demo' } }).name).toBe('demo');
  });
});

describe('the wall', () => {
  it('calls only breakers quiet that are there', () => {
    expect(renderToStaticMarkup(<Calm breakers={0} live />)).toContain('No breaker reports here');
    expect(renderToStaticMarkup(<Calm breakers={0} live />)).not.toContain('quiet');
    expect(renderToStaticMarkup(<Calm breakers={1} live />)).toContain('All quiet: 1 breaker');
    expect(renderToStaticMarkup(<Calm breakers={3} live={false} />)).toContain('Was quiet: 3');
  });
});
