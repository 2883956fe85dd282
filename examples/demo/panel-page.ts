type PageOptions = {
  readonly consoleUrl: string;
  readonly services: readonly string[];
  readonly faultKinds: readonly string[];
};

/** One page without a framework: a row per service, a button per fault. */
export function panelPage({ consoleUrl, services, faultKinds }: PageOptions): string {
  const rows = services
    .map(
      (service) =>
        `<tr><th scope="row">${service}</th><td data-state="${service}">…</td><td>${faultKinds
          .map((kind) => `<button data-service="${service}" data-kind="${kind}">${kind}</button>`)
          .join(' ')}</td></tr>`,
    )
    .join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Demo panel</title><style>
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
  body { margin: 2rem auto; max-width: 68rem; padding: 0 1rem }
  table { border-collapse: collapse; width: 100% }
  th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-top: 1px solid #8884; vertical-align: top }
  button { font: inherit; padding: .1rem .5rem; cursor: pointer }
  td[data-state] { min-width: 16rem; font-variant-numeric: tabular-nums }
</style></head><body>
<h1>Demo panel</h1>
<p>Faults for the demo fleet. The console is at <a href="${consoleUrl}">${consoleUrl}</a>.</p>
<p><button id="scenario">…</button> <span id="next" role="status"></span></p>
<table><thead><tr><th>Service</th><th>Now</th><th>Fault</th></tr></thead><tbody>${rows}</tbody></table>
<script>
const post = (path, body) => fetch(path, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
});
const scenario = document.getElementById('scenario');
let running = false;
scenario.onclick = () => post('/scenario', { running: !running }).then(refresh);
document.querySelectorAll('button[data-kind]').forEach((button) => {
  button.onclick = () => post('/fault', { service: button.dataset.service, kind: button.dataset.kind }).then(refresh);
});
function describe(member) {
  if (member.down) return member.instance + ': not running';
  const fault = member.fault ? member.fault.kind : 'healthy';
  const warmth = member.warmth === undefined ? '' : ', warmth ' + Math.round(member.warmth * 100) + ' %';
  return member.instance + ': ' + fault + warmth;
}
async function refresh() {
  const status = await (await fetch('/status')).json();
  running = status.scenario.running;
  scenario.textContent = running ? 'Pause the scenario' : 'Play the scenario from the start';
  document.getElementById('next').textContent = running
    ? 'In ' + Math.round(status.scenario.inMs / 1000) + ' s: ' + status.scenario.next
    : 'Paused: faults stay as you set them.';
  document.querySelectorAll('td[data-state]').forEach((cell) => {
    const members = status.services.filter((member) => member.service === cell.dataset.state);
    cell.replaceChildren(...members.map((member) => {
      const line = document.createElement('div');
      line.textContent = describe(member);
      return line;
    }));
  });
}
refresh();
setInterval(() => { if (!document.hidden) refresh(); }, 1000);
</script></body></html>`;
}
