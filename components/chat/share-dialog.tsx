'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { useSWRConfig } from 'swr';
import type { CreatedShare, SharePreview } from '../../lib/chat/schema';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { ApiError, createShare, readSharePreview } from './api';
import { ShareList, sharesKey } from './share-list';
import { SharedTurns } from './shared-thread';

export interface ShareDialogProps {
  conversationId: string;
  branch: string;
  /** Messages up to which may be shared, in their order. */
  messages: { taskId: string; text: string }[];
  onClose: () => void;
}

/** Makes a link under which anyone reads what is shown here first, and ends the links that there are. */
export function ShareDialog({ conversationId, branch, messages, onClose }: ShareDialogProps): ReactNode {
  const [until, setUntil] = useState(messages.at(-1)?.taskId ?? '');
  const [preview, setPreview] = useState<SharePreview | null>(null);
  const [made, setMade] = useState<CreatedShare | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const { mutate } = useSWRConfig();

  useEffect(() => {
    let left = false;
    setPreview(null);
    readSharePreview(conversationId, branch, until).then(
      (read) => !left && setPreview(read),
      (error: unknown) => !left && setProblem(messageOf(error)),
    );
    return () => {
      left = true;
    };
  }, [conversationId, branch, until]);

  async function make(): Promise<void> {
    if (!preview) return;
    setPending(true);
    setProblem(null);
    try {
      setMade(await createShare(conversationId, branch, preview.tasks));
      await mutate(sharesKey(conversationId));
    } catch (error) {
      setProblem(messageOf(error));
    }
    setPending(false);
  }

  return (
    <Dialog
      description="Anyone with the link can read it without signing in. Messages that come later are not on it."
      footer={
        <Button disabled={!preview} onClick={make} pending={pending} tone="primary">
          Create link
        </Button>
      }
      onOpenChange={onClose}
      open
      title="Share this conversation"
    >
      <div className="space-y-5 pt-1">
        {problem ? <Alert tone="danger">{problem}</Alert> : null}
        {made ? <NewLink share={made} /> : null}
        <Field id="share-until" label="Share up to" required>
          {(control) => (
            <Select
              {...control}
              className="w-full [&>select]:w-full"
              onChange={(event) => setUntil(event.target.value)}
              value={until}
            >
              {messages.map(({ taskId, text }, at) => (
                <option key={taskId} value={taskId}>
                  {`${at + 1}. ${text.slice(0, 60)}${at === messages.length - 1 ? ' (everything)' : ''}`}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <section aria-label="Preview" className="space-y-2">
          <h3 className="text-sm font-medium">This is what they see</h3>
          <div className="max-h-80 overflow-y-auto rounded-lg border border-line bg-canvas p-3">
            {preview ? (
              <SharedTurns thread={preview.thread} />
            ) : (
              <p className="text-sm text-muted">Loading the preview…</p>
            )}
          </div>
          <p className="text-xs text-muted">
            Payments, secrets, e-mail addresses and files are left out. Read it through: names and what you wrote about
            yourself are not.
          </p>
        </section>
        <ShareList conversationId={conversationId} />
      </div>
    </Dialog>
  );
}

function NewLink({ share }: { share: CreatedShare }): ReactNode {
  return (
    <div className="space-y-2 rounded-lg border border-line bg-good-soft p-3">
      <Field
        hint="It is shown only now. Whoever has it can read the conversation."
        id="share-link"
        label="Link"
        required
      >
        {(control) => <Input {...control} className="w-full font-mono text-xs" readOnly value={share.url} />}
      </Field>
      <CopyButton text={share.url} tone="secondary" what="the link" />
    </div>
  );
}

function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong on this page. Reload it and try again.';
}
