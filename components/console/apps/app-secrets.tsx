import { useTranslations } from 'next-intl';
import { type ReactNode, useId, useState } from 'react';
import type { SECRET_OVERLAP_HOURS } from '@/lib/tokens/limits';
import type { AppSecretView, NewClientSecret } from '@/lib/tokens/schema';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { Select } from '../../forms/inputs';
import { Button, buttonClass } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { CodeBlock } from '../../ui/display/code-block';
import { DateTime } from '../../ui/display/date-time';
import { DownloadIcon } from '../../ui/display/icons';

/** An app's credentials, displayed the only time that the secret is known. */
export function NewSecret({ app }: { app: NewClientSecret }): ReactNode {
  const t = useTranslations('console.newSecret');
  const { clientId, clientSecret } = app;
  const lines = `PARLEY_CLIENT_ID=${clientId}\nPARLEY_CLIENT_SECRET=${clientSecret}\n`;
  return (
    <div className="max-w-2xl space-y-3">
      <Alert live="polite" title={t('title')} tone="warn">
        {t('text')}
      </Alert>
      <CodeBlock code={clientId} label={t('clientId')} wrap />
      <CodeBlock
        actions={
          <a
            aria-label={t('downloadBoth')}
            className={buttonClass({ tone: 'quiet', size: 'sm' })}
            download="parley.env"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(lines)}`}
          >
            <DownloadIcon size={16} />
            {t('download')}
          </a>
        }
        code={clientSecret}
        label={t('clientSecret')}
        wrap
      />
    </div>
  );
}

export type Overlap = (typeof SECRET_OVERLAP_HOURS)[number];

interface RotateSecretProps {
  /** The app's name, for the accessible name. */
  app: string;
  pending: boolean;
  /** Null if the old secret is valid until it is removed. */
  onRotate: (overlap: Overlap | null) => void;
}

const overlaps = [
  { value: 24, name: 'hours24' },
  { value: 168, name: 'days7' },
  { value: 1, name: 'hour1' },
  { value: 0, name: 'none' },
  { value: null, name: 'untilRemoved' },
] as const satisfies { value: Overlap | null; name: string }[];

/** Creates a new secret for an app, with an overlap during which the old one remains valid. */
export function RotateSecret({ app, pending, onRotate }: RotateSecretProps): ReactNode {
  const t = useTranslations('console.rotateSecret');
  const id = useId();
  const [chosen, setChosen] = useState(0);
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm">
      <label htmlFor={id}>
        {t.rich('overlap', { app, hidden: (chunks) => <span className="sr-only">{chunks}</span> })}
      </label>
      <Select id={id} onChange={(event) => setChosen(Number(event.target.value))} value={chosen}>
        {overlaps.map(({ name }, index) => (
          <option key={name} value={index}>
            {t(`overlaps.${name}`)}
          </option>
        ))}
      </Select>
      <Button
        aria-label={t('makeFor', { app })}
        onClick={() => onRotate(overlaps[chosen]?.value ?? null)}
        pending={pending}
      >
        {t('make')}
      </Button>
    </div>
  );
}

interface SecretRowProps {
  appId: string;
  secret: AppSecretView;
  onRemoved: () => void;
}

/** An active secret of an app: prefix, age, last use, and a way to remove it. */
export function SecretRow({ appId, secret, onRemoved }: SecretRowProps): ReactNode {
  const t = useTranslations('console.secretRow');
  const { id, prefix, createdAt, lastUsedAt, expiresAt } = secret;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-0">
        <p className="font-mono text-xs">{prefix}…</p>
        <p className="text-muted">
          {lastUsedAt
            ? t.rich('used', { created: () => <Day at={createdAt} />, used: () => <Day at={lastUsedAt} /> })
            : t.rich('neverUsed', { created: () => <Day at={createdAt} /> })}
          {expiresAt ? <> {t.rich('expires', { end: () => <DateTime at={expiresAt} /> })}</> : null}
        </p>
      </div>
      <ConfirmDialog
        action={t('removeSecret')}
        onDone={onRemoved}
        path={`/api/apps/${appId}/secrets/${id}`}
        title={t('removeTitle', { prefix })}
        trigger={
          <Button aria-label={t('removeWhat', { prefix })} size="sm">
            {t('remove')}
          </Button>
        }
      >
        {t('removeText')}
      </ConfirmDialog>
    </li>
  );
}

function Day({ at }: { at: string }): ReactNode {
  return <DateTime at={at} show="day" />;
}
