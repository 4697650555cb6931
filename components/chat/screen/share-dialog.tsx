'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import useSWR, { useSWRConfig } from 'swr';
import type { CreatedShare, SharePreview, ShareView } from '../../../lib/chat/schema-shares';
import { Field } from '../../forms/field';
import { Input, Select } from '../../forms/inputs';
import { Button } from '../../ui/controls/button';
import { CopyButton } from '../../ui/controls/copy-button';
import { Alert } from '../../ui/display/alert';
import { DateTime } from '../../ui/display/date-time';
import { Dialog } from '../../ui/overlays/dialog';
import { toast } from '../../ui/overlays/toast';
import { call, conversationUrl } from '../state/api';
import { useProblem } from '../state/use-problem';
import { SharedTurns } from '../thread/shared-thread';

export interface ShareDialogProps {
  conversationId: string;
  branch: string;
  /** Messages up to which the conversation may be shared, in order. */
  messages: { taskId: string; text: string }[];
  onClose: () => void;
}

/** Creates a link with which anyone can read the previewed content, and revokes existing links. */
export function ShareDialog({ conversationId, branch, messages, onClose }: ShareDialogProps): ReactNode {
  const t = useTranslations('chat.shareDialog');
  const problemOf = useProblem();
  const [until, setUntil] = useState(messages.at(-1)?.taskId ?? '');
  const [preview, setPreview] = useState<SharePreview | null>(null);
  const [createdShare, setCreatedShare] = useState<CreatedShare | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const { mutate } = useSWRConfig();

  useEffect(() => {
    let ignore = false;
    setPreview(null);
    readSharePreview(conversationId, branch, until).then(
      (read) => !ignore && setPreview(read),
      (error: unknown) => !ignore && setProblem(problemOf(error)),
    );
    return () => {
      ignore = true;
    };
  }, [conversationId, branch, until, problemOf]);

  async function create(): Promise<void> {
    if (!preview) return;
    setPending(true);
    setProblem(null);
    try {
      setCreatedShare(await createShare(conversationId, branch, preview.tasks));
      await mutate(sharesKey(conversationId));
    } catch (error) {
      setProblem(problemOf(error));
    }
    setPending(false);
  }

  return (
    <Dialog
      description={t('description')}
      footer={
        <Button disabled={!preview} onClick={create} pending={pending} tone="primary">
          {t('create')}
        </Button>
      }
      onOpenChange={onClose}
      open
      title={t('title')}
    >
      <div className="space-y-5 pt-1">
        {problem ? <Alert tone="danger">{problem}</Alert> : null}
        {createdShare ? <NewLink share={createdShare} /> : null}
        <Field id="share-until" label={t('until')} required>
          {(control) => (
            <Select
              {...control}
              className="w-full [&>select]:w-full"
              onChange={(event) => setUntil(event.target.value)}
              value={until}
            >
              {messages.map(({ taskId, text }, index) => (
                <option key={taskId} value={taskId}>
                  {t(index === messages.length - 1 ? 'lastMessage' : 'message', {
                    place: index + 1,
                    text: text.slice(0, 60),
                  })}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <section aria-label={t('preview')} className="space-y-2">
          <h3 className="text-sm font-medium">{t('previewTitle')}</h3>
          <div className="max-h-80 overflow-y-auto rounded-lg border border-line bg-canvas p-3">
            {preview ? (
              <SharedTurns thread={preview.thread} />
            ) : (
              <p className="text-sm text-muted">{t('previewLoading')}</p>
            )}
          </div>
          <p className="text-xs text-muted">{t('leftOut')}</p>
        </section>
        <ShareList conversationId={conversationId} />
      </div>
    </Dialog>
  );
}

function NewLink({ share }: { share: CreatedShare }): ReactNode {
  const t = useTranslations('chat.shareDialog');
  return (
    <div className="space-y-2 rounded-lg border border-line bg-good-soft p-3">
      <Field hint={t('linkHint')} id="share-link" label={t('link')} required>
        {(control) => <Input {...control} className="w-full font-mono text-xs" readOnly value={share.url} />}
      </Field>
      <CopyButton text={share.url} tone="secondary" what={t('theLink')} />
    </div>
  );
}

/** Returns the cache key of a conversation's links. */
export function sharesKey(conversationId: string): string {
  return `shares ${conversationId}`;
}

/** A conversation's links, each with a way to revoke it. */
export function ShareList({ conversationId }: { conversationId: string }): ReactNode {
  const t = useTranslations('chat.shareList');
  const problemOf = useProblem();
  const { data, mutate } = useSWR(sharesKey(conversationId), () => readShares(conversationId));
  const items = data?.items ?? [];
  if (items.length === 0) return null;

  async function revoke(id: string): Promise<void> {
    try {
      await revokeShare(id);
      toast({ tone: 'good', text: t('revoked') });
    } catch (error) {
      toast({ tone: 'danger', text: t('notRevoked', { problem: problemOf(error, t('tryAgain')) }) });
    }
    await mutate();
  }

  return (
    <section aria-label={t('label')} className="space-y-2">
      <h3 className="text-sm font-medium">{t('title')}</h3>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {items.map(({ id, createdAt, tasks }) => (
          <li className="flex items-center gap-3 px-3 py-2 text-sm" key={id}>
            <span className="min-w-0 flex-1">
              {t.rich('made', { when: () => <DateTime at={createdAt} /> })}
              <span className="block text-xs text-muted">{t('messages', { count: tasks })}</span>
            </span>
            <Button onClick={() => void revoke(id)} size="sm" tone="danger">
              {t('revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Reads the content that a shared link to the conversation would show, up to a task. */
function readSharePreview(conversationId: string, branch: string, untilTaskId: string): Promise<SharePreview> {
  return call(
    'GET',
    `${conversationUrl(conversationId)}/shares/preview?${new URLSearchParams({ branch, until: untilTaskId })}`,
  );
}

function createShare(conversationId: string, branch: string, tasks: SharePreview['tasks']): Promise<CreatedShare> {
  return call('POST', `${conversationUrl(conversationId)}/shares`, { branch, tasks });
}

function readShares(conversationId: string): Promise<{ items: ShareView[] }> {
  return call('GET', `${conversationUrl(conversationId)}/shares`);
}

function revokeShare(id: string): Promise<unknown> {
  return call('DELETE', `/api/chat/shares/${encodeURIComponent(id)}`);
}
