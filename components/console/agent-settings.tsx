'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { OwnAgent } from '@/lib/catalog/schema';
import { type ApiProblem, callApi } from '../account/call-api';
import { ConfirmDialog } from '../account/confirm-dialog';
import { routes } from '../shell/routes';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { ListingFields } from './listing-fields';

interface AgentSettingsProps {
  agent: OwnAgent;
  apps: { id: string; name: string }[];
}

/** What the owner can change about a listing, and the way to withdraw it. */
export function AgentSettings({ agent, apps }: AgentSettingsProps): ReactNode {
  const router = useRouter();
  const [choice, setChoice] = useState({ visibility: agent.visibility, appId: agent.appId });
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [pending, setPending] = useState(false);
  const path = `/api/agents/${encodeURIComponent(agent.slug)}`;

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const tags = String(fields.get('tags') ?? '')
      .split(',')
      .filter((tag) => tag.trim() !== '');
    const status = fields.has('deprecated') ? 'deprecated' : 'active';
    setPending(true);
    setProblem(null);
    const answer = await callApi('PATCH', path, {
      ...choice,
      tags,
      ...(agent.status === 'suspended' ? {} : { status }),
    });
    setPending(false);
    if (!answer.ok) return setProblem(answer.problem);
    toast({ tone: 'good', text: 'The listing is saved.' });
    router.refresh();
  }

  if (agent.status === 'withdrawn') {
    return <Alert tone="info">This agent is withdrawn. List its address again to bring it back.</Alert>;
  }
  return (
    <form className="max-w-lg space-y-5" onSubmit={(event) => void save(event)}>
      {problem ? (
        <Alert live="assertive" tone="danger">
          {problem.title}
        </Alert>
      ) : null}
      <ListingFields apps={apps} choice={choice} onChange={setChoice} />
      <Field hint="Separated by commas." id="tags" label="Tags">
        {(control) => <Input {...control} defaultValue={agent.tags.join(', ')} name="tags" />}
      </Field>
      <Checkbox
        defaultChecked={agent.status === 'deprecated'}
        hint="It stays callable; its page says that it will go."
        label="Deprecated"
        name="deprecated"
      />
      <div className="flex flex-wrap gap-2">
        <Button pending={pending} tone="primary" type="submit">
          Save
        </Button>
        <ConfirmDialog
          action="Withdraw agent"
          onDone={() => router.push(routes.console)}
          path={path}
          title={`Withdraw ${agent.name}?`}
          trigger={<Button tone="quiet">Withdraw</Button>}
        >
          It leaves the catalogue, its tokens stop working, and its page says that it is gone. The name stays yours.
        </ConfirmDialog>
      </div>
    </form>
  );
}
