import { type ReactNode, useMemo } from 'react';
import { readReceipt } from '../../../lib/protocol/ap2/read-receipt';
import type { JsonValue } from '../../../lib/protocol/json';
import { Badge } from '../../ui/badge';
import { CardFrame } from './card-frame';
import { FactList } from './fact-list';

/** What an agent calls a receipt: its own words about itself. */
export function ReceiptCard({ value }: { value: JsonValue }): ReactNode {
  const facts = useMemo(() => readReceipt(value), [value]);
  return (
    <CardFrame className="space-y-3 p-4" label="Receipt">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <p className="font-semibold">Receipt</p>
        <Badge tone="warn">Not verified</Badge>
      </div>
      {facts.length > 0 ? <FactList facts={facts} /> : <p>A signed token, which Parley does not read yet.</p>}
      <p className="text-xs text-muted">Provided by the agent, not verified.</p>
    </CardFrame>
  );
}
