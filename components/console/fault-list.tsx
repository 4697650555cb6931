import type { ReactNode } from 'react';
import type { CardFault } from '@/lib/catalog/schema';
import { Alert } from '../ui/alert';

interface FaultListProps {
  faults: CardFault[];
  kind: 'fault' | 'warning';
}

/** What is wrong with a card, each fault with its place in the text, what was expected and how to mend it. */
export function FaultList({ faults, kind }: FaultListProps): ReactNode {
  if (faults.length === 0) return null;
  const word = faults.length === 1 ? kind : `${kind}s`;
  return (
    <section aria-label={`The card’s ${word}`} className="space-y-3">
      <Alert
        live={kind === 'fault' ? 'assertive' : 'polite'}
        title={`The card has ${faults.length} ${word}`}
        tone={kind === 'fault' ? 'danger' : 'warn'}
      >
        {kind === 'fault'
          ? 'Mend the card where it is served, then check again.'
          : 'The agent can be listed all the same.'}
      </Alert>
      <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
        {faults.map((fault) => (
          <li className="space-y-1 p-4 text-sm" key={`${fault.pointer} ${fault.rule} ${fault.line}`}>
            <p className="font-mono text-muted">
              line {fault.line}, column {fault.column} · {fault.pointer || 'the card'} · {fault.rule}
            </p>
            <p>
              Found <strong className="font-medium break-words">{fault.found}</strong>; expected {fault.expected}.
            </p>
            <p className="text-muted">{fault.fix}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
