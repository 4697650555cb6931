import type { ReactNode } from 'react';
import type { FixableFault } from '@/lib/catalog/schema';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Fact, FactList } from './fact-list';

interface FaultListProps {
  faults: FixableFault[];
  kind: 'fault' | 'warning';
  /** Beside an editor: leads to the place of a fault. */
  onJump?: (fault: FixableFault) => void;
  /** Beside an editor: mends a fault that can be mended without asking anybody. */
  onFix?: (fault: FixableFault) => void;
}

/** What is wrong with a card, each fault with its place in the text, what was expected and how to mend it. */
export function FaultList({ faults, kind, onJump, onFix }: FaultListProps): ReactNode {
  if (faults.length === 0) return null;
  const word = faults.length === 1 ? kind : `${kind}s`;
  return (
    <section aria-label={`The card’s ${word}`} className="space-y-4">
      <Alert
        live={kind === 'fault' ? 'assertive' : 'polite'}
        title={`The card has ${faults.length === 1 ? `one ${kind}` : `${faults.length} ${word}`}`}
        tone={kind === 'fault' ? 'danger' : 'warn'}
      >
        {kind === 'fault'
          ? onJump
            ? 'Mend it here, then serve the mended card.'
            : 'Mend the card where it is served, then check again.'
          : 'The agent can be listed all the same.'}
      </Alert>
      <ol className="divide-y divide-line rounded-lg border border-line bg-surface shadow-card">
        {faults.map((fault) => (
          <li className="p-5" key={`${fault.pointer} ${fault.rule} ${fault.line} ${fault.column}`}>
            <Fault fault={fault} onFix={onFix} onJump={onJump} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Fault({
  fault,
  onJump,
  onFix,
}: { fault: FixableFault } & Pick<FaultListProps, 'onJump' | 'onFix'>): ReactNode {
  return (
    <>
      <p className="mb-3 flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
        {onJump ? (
          <button className="text-link font-semibold" onClick={() => onJump(fault)} type="button">
            Line {fault.line}, column {fault.column}
          </button>
        ) : (
          <span className="font-semibold">
            Line {fault.line}, column {fault.column}
          </span>
        )}
        {fault.pointer ? <span className="font-mono text-xs break-all">{fault.pointer}</span> : null}
        <span className="font-mono text-xs font-normal text-muted sm:ms-auto">{fault.rule}</span>
      </p>
      <FactList>
        <Fact name="Found">{fault.found}</Fact>
        <Fact name="Expected">{fault.expected}</Fact>
        <Fact name="To mend it">{fault.fix}</Fact>
      </FactList>
      {onFix && fault.edits ? (
        <Button
          aria-label={`Fix it: line ${fault.line}, ${fault.rule}`}
          className="mt-3"
          onClick={() => onFix(fault)}
          size="sm"
        >
          Fix it
        </Button>
      ) : null}
    </>
  );
}
