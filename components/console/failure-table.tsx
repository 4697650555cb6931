import type { ReactNode } from 'react';
import type { FailedCall } from '@/lib/console/schema';
import { EmptyState } from '../ui/empty-state';
import { formatDate } from '../ui/format-date';
import { Table } from '../ui/table';

/** The latest calls that failed, with the id to quote. */
export function FailureTable({ failures }: { failures: FailedCall[] }): ReactNode {
  return (
    <section aria-labelledby="failures" className="mt-12 space-y-4">
      <h2 className="text-xl font-semibold" id="failures">
        Failed calls
      </h2>
      {failures.length === 0 ? (
        <EmptyState level={3} title="No failed calls">
          When a call of this agent fails, it stands here with the reason.
        </EmptyState>
      ) : (
        <Table caption="Failed calls, newest first">
          <thead>
            <tr>
              <th scope="col">Time (UTC)</th>
              <th scope="col">What happened</th>
              <th scope="col">Code</th>
              <th scope="col">Request</th>
            </tr>
          </thead>
          <tbody>
            {failures.map(({ at, code, message, requestId }) => (
              <tr key={`${at} ${requestId}`}>
                <td className="whitespace-nowrap">
                  <time dateTime={at}>
                    {formatDate(at)} {at.slice(11, 19)}
                  </time>
                </td>
                <td>{message}</td>
                <td className="font-mono">{code}</td>
                <td className="font-mono">{requestId}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  );
}
