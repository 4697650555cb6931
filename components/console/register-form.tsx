'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { AgentPreview, AgentSummary } from '@/lib/catalog/schema';
import { type ApiProblem, callApi } from '../account/call-api';
import { ownAgentPath } from '../shell/routes';
import { Alert } from '../ui/alert';
import { announce } from '../ui/announcer';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { CardPreview } from './card-preview';
import { FaultList } from './fault-list';
import { type ListingChoice, ListingFields } from './listing-fields';

interface RegisterFormProps {
  apps: { id: string; name: string }[];
}

/** One address, one button: reads the card, shows what it found, and lists the agent when it can be called. */
export function RegisterForm({ apps }: RegisterFormProps): ReactNode {
  const router = useRouter();
  const [preview, setPreview] = useState<{ url: string; found: AgentPreview } | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [pending, setPending] = useState(false);
  const [choice, setChoice] = useState<ListingChoice>({ visibility: 'public', appId: apps[0]?.id ?? null });

  async function call<T>(path: string, body: object): Promise<T | null> {
    setPending(true);
    setProblem(null);
    const answer = await callApi('POST', path, body);
    setPending(false);
    if (answer.ok) return answer.body as T;
    setProblem(answer.problem);
    return null;
  }

  async function check(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get('url') ?? '').trim();
    setPreview(null);
    const found = await call<AgentPreview>('/api/agents/preview', { url });
    if (!found) return;
    setPreview({ url, found });
    if (found.card) announce(`Found ${found.card.name}. Check what is shown and list it.`);
  }

  async function list(): Promise<void> {
    if (!preview) return;
    const body = { url: preview.url, ...choice, confirmOrigin: preview.found.otherOrigin !== null };
    const agent = await call<AgentSummary>('/api/agents', body);
    if (!agent) return;
    toast({ tone: 'good', text: `${agent.name} is listed.` });
    router.push(ownAgentPath(agent.slug));
  }

  return (
    <div className="max-w-2xl space-y-6">
      {problem ? (
        <Alert live="assertive" tone="danger">
          {problem.title}
        </Alert>
      ) : null}
      <form className="space-y-5" onSubmit={(event) => void check(event)}>
        <Field hint="Its base address, or the address of its card." id="url" label="Address of the agent" required>
          {(control) => (
            <Input {...control} autoComplete="url" inputMode="url" name="url" placeholder="https://agent.example" />
          )}
        </Field>
        <Button pending={pending && !preview} tone={preview?.found.card ? 'secondary' : 'primary'} type="submit">
          {preview ? 'Check again' : 'Read the card'}
        </Button>
      </form>
      {preview ? <FaultList faults={preview.found.faults} kind="fault" /> : null}
      {preview?.found.card ? (
        <div className="space-y-6">
          <CardPreview card={preview.found.card} preview={preview.found} />
          <FaultList faults={preview.found.warnings} kind="warning" />
          <ListingFields apps={apps} choice={choice} onChange={setChoice} />
          <Button onClick={() => void list()} pending={pending} tone="primary">
            {preview.found.isListed ? 'Update the listing' : 'List this agent'}
          </Button>
        </div>
      ) : null}
    </div>
  );
}
