import { CopyButton } from '../ui/copy-button';
import { CodeBlock } from '../ui/code-block';
import { sixLines } from './snippet';

type Props = { token?: string; service?: string; environment?: string };

/** What a service pastes where it starts; filled in when the token is at hand. */
export function SixLines(props: Props) {
  const code = sixLines(props);
  return <CodeBlock label="Six lines of code" code={code} action={<CopyButton text={code} />} />;
}
