import type { ReactNode } from 'react';
import type { JsonValue } from '../../../lib/protocol/json';
import { Alert } from '../../ui/alert';
import { JsonCard } from './json-card';
import { MarkedText } from './marked-text';

/** A cart that is none: what is wrong with it by its place, and the data as it came. */
export function UnreadableCart({ faults, value }: { faults: string[]; value: JsonValue }): ReactNode {
  return (
    <div className="space-y-2">
      <Alert title="The agent sent a cart that cannot be read" tone="danger">
        <ul className="space-y-1 [overflow-wrap:anywhere]">
          {faults.map((fault) => (
            <li key={fault}>
              <MarkedText text={fault} />
            </li>
          ))}
        </ul>
      </Alert>
      <JsonCard value={value} />
    </div>
  );
}
