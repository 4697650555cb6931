import type { ReactNode } from 'react';
import type { MerchantView } from '@/lib/payments/schema';
import { Alert } from '../ui/alert';
import { Moment } from '../ui/moment';
import { Table } from '../ui/table';
import { Literal } from './fact-list';

/** The keys that count for a listing, and until when those that were replaced still do. */
export function MerchantKeys({ keys }: Pick<MerchantView, 'keys'>): ReactNode {
  if (keys.length === 0) {
    return (
      <Alert title="No keys yet" tone="warn">
        Carts of this agent are shown as not verified, and nobody can pay them, until you register a key.
      </Alert>
    );
  }
  return (
    <Table caption="Keys that count for this agent">
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Since</th>
          <th scope="col">Until</th>
        </tr>
      </thead>
      <tbody>
        {keys.map(({ kid, createdAt, retiresAt }) => (
          <tr key={kid}>
            <th scope="row">
              <Literal>{kid}</Literal>
            </th>
            <td className="whitespace-nowrap">
              <Moment at={createdAt} />
            </td>
            <td className="whitespace-nowrap">{retiresAt ? <Moment at={retiresAt} /> : 'you replace it'}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
