'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { OwnershipView } from '@/lib/catalog/schema';
import { callApi } from '../account/call-api';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { formatTime } from '../ui/format-date';
import { toast } from '../ui/toast';

interface OwnershipProps {
  slug: string;
  ownership: OwnershipView;
}

type Note = { tone: 'warn' | 'danger'; text: string };

const places = { dns: 'as a TXT record', file: 'in a file' };

/** How an owner proves that the host of their agent is theirs, and how it stands. */
export function Ownership({ slug, ownership }: OwnershipProps): ReactNode {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const [note, setNote] = useState<Note | null>(null);
  const { proof, proved } = ownership;

  async function check(): Promise<void> {
    setPending(true);
    setNote(null);
    const answer = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/ownership`);
    setPending(false);
    if (!answer.ok) return setNote({ tone: 'danger', text: answer.problem.title });
    const { proved: found } = answer.body as OwnershipView;
    if (!found || found.checkedAt === proved?.checkedAt) {
      const text = 'The proof is in neither place yet. A new DNS record can take a while to be seen everywhere.';
      return setNote({ tone: 'warn', text });
    }
    toast({ tone: 'good', text: 'The proof is there: your agent is shown with a verified owner.' });
    router.refresh();
  }

  return (
    <div className="space-y-4">
      <p className="text-sm">
        {proved ? (
          <>
            Proved {places[proved.method]} since <time dateTime={proved.at}>{formatTime(proved.at)}</time>. Leave it
            there: Parley looks every day, and the mark goes when the proof is missing for a week.
          </>
        ) : (
          <>
            Publish one line for <bdi>{proof.host}</bdi>, and people see that whoever listed the agent also runs it.
          </>
        )}
      </p>
      {proved?.missingSince ? (
        <Alert title="The proof is missing" tone="warn">
          Since <time dateTime={proved.missingSince}>{formatTime(proved.missingSince)}</time>. Publish it again.
        </Alert>
      ) : null}
      {proof.dnsName ? <CodeBlock code={`${proof.dnsName}. TXT "${proof.text}"`} label="a DNS record" /> : null}
      <CodeBlock code={proof.text} label={`${proof.dnsName ? 'or ' : ''}a line in ${proof.fileUrl}`} />
      {note ? (
        <Alert live="polite" tone={note.tone}>
          {note.text}
        </Alert>
      ) : null}
      <Button onClick={() => void check()} pending={pending}>
        Check now
      </Button>
    </div>
  );
}
