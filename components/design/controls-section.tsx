import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { LostBanner } from '../shell/connection-banner';
import { Section } from '../shell/page';
import { Button, ButtonLink, IconButton } from '../ui/button';
import { Callout } from '../ui/callout';
import { ActionChip, Chip, RemovableChip, type ChipTone } from '../ui/chip';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { Field, Input, Select, TextArea } from '../ui/field';
import { Menu, MenuItem } from '../ui/menu';
import { Popover } from '../ui/popover';
import { Segmented } from '../ui/segmented';
import { Tabs } from '../ui/tabs';
import { Countdown, Time } from '../ui/time';
import { Tooltip } from '../ui/tooltip';
import styles from './design.module.css';

const KINDS = ['primary', 'secondary', 'quiet', 'danger', 'caution'] as const;
const TONES: readonly ChipTone[] = ['neutral', 'half', 'open', 'forced', 'off'];
const ignore = () => undefined;

function Buttons() {
  return (
    <>
      {(['medium', 'small'] as const).map((size) => (
        <div key={size} className={styles.row}>
          {KINDS.map((kind) => (
            <Button key={kind} kind={kind} size={size} icon={<Plus />}>
              {kind}
            </Button>
          ))}
          <Button size={size} disabled>
            disabled
          </Button>
          <Button size={size} busy>
            busy
          </Button>
          <ButtonLink size={size} href="/design">
            link
          </ButtonLink>
          <IconButton size={size} label="More">
            <Ellipsis />
          </IconButton>
          <CopyButton text="copied text" />
        </div>
      ))}
    </>
  );
}

function Overlays() {
  const [open, setOpen] = useState(false);
  return (
    <div className={styles.row}>
      <Button onClick={() => setOpen(true)}>Open a dialog</Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="A dialog"
        description="It traps focus and gives it back."
        footer={<Button onClick={() => setOpen(false)}>Close</Button>}
      />
      <Menu trigger={<Button>Open a menu</Button>}>
        <MenuItem onSelect={ignore}>First</MenuItem>
        <MenuItem onSelect={ignore} disabled>
          Not now
        </MenuItem>
      </Menu>
      <Popover trigger={<Button>Open a popover</Button>} title="A popover">
        With a few words in it.
      </Popover>
      <Tooltip hint="A hint for hover and focus">
        <Button>Hover for a hint</Button>
      </Tooltip>
    </div>
  );
}

function Fields() {
  const [choice, setChoice] = useState<'a' | 'b'>('a');
  const options = [
    { value: 'a', label: 'First' },
    { value: 'b', label: 'Second' },
  ] as const;
  return (
    <div className={styles.fields}>
      <Field label="Reason" hint="At least 10 characters">
        {(wiring) => <Input {...wiring} placeholder="What is going on" />}
      </Field>
      <Field label="Environment" error="An environment is needed">
        {(wiring) => <Input {...wiring} />}
      </Field>
      <Field label="Choice">
        {(wiring) => <Select {...wiring} options={options} value={choice} onValue={setChoice} />}
      </Field>
      <Field label="Note">{(wiring) => <TextArea {...wiring} />}</Field>
      <Segmented label="Segments" options={options} value={choice} onValue={setChoice} />
      <Tabs
        label="Tabs"
        value={choice}
        onValue={setChoice}
        tabs={[
          { value: 'a', label: 'First', count: 4, panel: 'The first panel' },
          { value: 'b', label: 'Second', panel: 'The second panel' },
        ]}
      />
    </div>
  );
}

export function ControlsSection({ now }: { now: number }) {
  const [start] = useState(now);
  return (
    <Section title="Controls">
      <Buttons />
      <Overlays />
      <Fields />
      <div className={styles.row}>
        {TONES.map((tone) => (
          <Chip key={tone} tone={tone}>
            {tone}
          </Chip>
        ))}
        <ActionChip onClick={ignore}>New order</ActionChip>
        <RemovableChip onRemove={ignore}>service: checkout</RemovableChip>
      </div>
      <div className={styles.row}>
        <Time at={start - 94_000} />
        <Time at={start - 200_000_000} show="instant" />
        <Time at={start - 94_000} show="age" />
        <Countdown to={start + 250_000} />
        <Countdown to={start - 40_000} past={(ms) => `ended ${Math.round(ms / 1_000)} s ago`} />
      </div>
      <Callout title="For your information">A quiet note.</Callout>
      <Callout tone="warning" title="Careful">
        Something to know before going on.
      </Callout>
      <Callout tone="danger" title="Not done" action={<Button size="small">Try again</Button>}>
        The server refused.
      </Callout>
      <LostBanner connection={{ status: 'stale', since: start - 4_000 }} now={start} />
      <LostBanner connection={{ status: 'offline', since: null, refused: false }} now={start} />
      <LostBanner connection={{ status: 'offline', since: start, refused: true }} now={start} />
    </Section>
  );
}
