import type { ReactNode } from 'react';
import type { PushReceiver } from '@/lib/console/schema';
import { Badge } from '../ui/badge';
import { formatTime } from '../ui/format-date';
import { Table } from '../ui/table';
import { Literal } from './fact-list';

/** Receivers that have not taken the last push yet, with what they answered and when they are tried again. */
export function FailingPushes({ receivers }: { receivers: PushReceiver[] }): ReactNode {
  return (
    <section aria-label="Receivers that fail now">
      <Table caption="Receivers that fail now">
        <thead>
          <tr>
            {['Receiver', 'Last answer', 'Attempts', 'Next try'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {receivers.map(({ taskId, configId, url, attempts, nextTry, httpStatus, answer }) => (
            <tr key={`${taskId} ${configId}`}>
              <th scope="row">
                <Literal>{url}</Literal>
              </th>
              <td>
                <Badge tone="danger">{httpStatus === null ? 'no answer' : `HTTP ${httpStatus}`}</Badge>
                {answer ? <span className="mt-1 block font-mono text-xs break-all text-muted">{answer}</span> : null}
              </td>
              <td className="tabular-nums">{attempts}</td>
              <td className="whitespace-nowrap tabular-nums">
                <time dateTime={nextTry}>{formatTime(nextTry)}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
