'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { CollectionSummary } from '@/lib/discovery/schema';
import { callApi } from '../account/call-api';
import { ConfirmDialog } from '../account/confirm-dialog';
import { FormProblem } from '../account/form-problem';
import { type Fields, useForm } from '../account/use-form';
import { routes } from '../shell/routes';
import { Button } from '../ui/button';
import { ChoiceList } from '../ui/choice-list';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { LazyDialog } from '../ui/lazy-dialog';
import { Textarea } from '../ui/textarea';
import { toast } from '../ui/toast';

interface ToolsProps {
  collection: CollectionSummary;
  isAdmin: boolean;
}

/** What the keeper of a collection can do with it, and what an admin can. */
export function CollectionTools({ collection, isAdmin }: ToolsProps): ReactNode {
  const router = useRouter();
  const [editing, setEditing] = useState(false);

  function deleted(): void {
    toast({ tone: 'good', text: 'The collection is deleted.' });
    router.push(routes.collections);
    router.refresh();
  }

  async function recommend(): Promise<void> {
    const answer = await callApi('PATCH', `/api/collections/${collection.id}`, { isCurated: !collection.isCurated });
    if (!answer.ok) return toast({ tone: 'danger', text: answer.problem.title });
    router.refresh();
  }

  return (
    <div className="flex flex-wrap gap-2">
      {isAdmin && collection.visibility === 'public' ? (
        <Button onClick={() => void recommend()}>
          {collection.isCurated ? 'Stop recommending' : 'Recommend to everybody'}
        </Button>
      ) : null}
      {collection.isOwn ? (
        <>
          <Button aria-haspopup="dialog" onClick={() => setEditing(true)}>
            Edit
          </Button>
          <ConfirmDialog
            action="Delete collection"
            onDone={deleted}
            path={`/api/collections/${collection.id}`}
            title={
              <>
                Delete <bdi>{collection.title}</bdi>?
              </>
            }
            trigger={<Button>Delete</Button>}
          >
            The list goes; the agents in it stay where they are.
          </ConfirmDialog>
        </>
      ) : null}
      {editing ? <EditDialog collection={collection} onClose={() => setEditing(false)} /> : null}
    </div>
  );
}

const choices = [
  { value: 'private', label: 'Private', hint: 'Only you see it.' },
  { value: 'public', label: 'Public', hint: 'Everybody sees it, with your public name.' },
];

function EditDialog({ collection, onClose }: { collection: CollectionSummary; onClose: () => void }): ReactNode {
  const router = useRouter();
  const { form, pending, problem, faults } = useForm({
    method: 'PATCH',
    path: `/api/collections/${collection.id}`,
    toBody: ({ title, description, visibility }: Fields) => ({ title, description, visibility }),
    onDone() {
      router.refresh();
      onClose();
      return 'staying';
    },
  });
  return (
    <LazyDialog onOpenChange={onClose} title="Edit collection">
      <form {...form} className="space-y-5">
        <FormProblem problem={problem} />
        <Field error={faults.title} id="collection-title" label="Title" required>
          {(control) => <Input {...control} defaultValue={collection.title} maxLength={80} name="title" />}
        </Field>
        <Field error={faults.description} id="collection-description" label="What it is for">
          {(control) => (
            <Textarea {...control} defaultValue={collection.description} maxLength={500} name="description" rows={3} />
          )}
        </Field>
        <ChoiceList choices={choices} defaultValue={collection.visibility} legend="Who sees it" name="visibility" />
        <Button pending={pending} tone="primary" type="submit">
          Save
        </Button>
      </form>
    </LazyDialog>
  );
}
