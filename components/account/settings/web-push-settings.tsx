'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { WebPushView } from '@/lib/notifications/schema';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input } from '../../forms/inputs';
import { type Fields, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { Card } from '../../ui/display/card';
import { toast } from '../../ui/overlays/toast';
import { WebPushDevices } from './web-push-devices';

export interface WebPushSettingsProps {
  userId: string;
  view: WebPushView;
}

/** The user's devices, and what is sent to them. */
export function WebPushSettings({ userId, view }: WebPushSettingsProps): ReactNode {
  return (
    <>
      <WebPushDevices devices={view.devices} publicKey={view.publicKey} userId={userId} />
      <SettingsForm view={view} />
    </>
  );
}

const defaultQuietHours = { from: '22:00', until: '07:00' };

/** The choice of kinds, quiet hours in this browser's time zone, and what a lock screen displays. */
function SettingsForm({ view: { kinds, quietHours, showsContent } }: Pick<WebPushSettingsProps, 'view'>): ReactNode {
  const t = useTranslations('account.webPush');
  const [isQuiet, setIsQuiet] = useState(quietHours !== null);
  const { from, until } = quietHours ?? defaultQuietHours;
  const { form, pending, problem } = useForm({
    method: 'PUT',
    path: '/api/web-push',
    toBody: (fields) => ({
      kinds: Object.fromEntries(kinds.map(({ kind }) => [kind, kind in fields])),
      quietHours: toQuietHours(fields),
      showsContent: 'showsContent' in fields,
    }),
    onDone() {
      toast({ tone: 'good', text: t('saved') });
      return 'staying';
    },
  });
  return (
    <form {...form} className="mt-5 space-y-5">
      <FormProblem problem={problem} />
      <Card>
        <fieldset className="divide-y divide-line">
          <legend className="sr-only">{t('legend')}</legend>
          {kinds.map(({ kind, wanted }) => (
            <Checkbox
              className="px-5 py-3"
              defaultChecked={wanted}
              hint={t(`kinds.${kind}.hint`)}
              key={kind}
              label={t(`kinds.${kind}.label`)}
              name={kind}
            />
          ))}
        </fieldset>
      </Card>
      <Card className="divide-y divide-line">
        <div className="px-5 py-3">
          <Checkbox
            checked={isQuiet}
            hint={t('quietHint')}
            label={t('quiet')}
            name="quiet"
            onChange={(event) => setIsQuiet(event.target.checked)}
          />
          {isQuiet ? (
            <div className="mt-2 mb-1 flex flex-wrap gap-4">
              <TimeField id="quiet-from" label={t('from')} name="from" value={from} />
              <TimeField id="quiet-until" label={t('until')} name="until" value={until} />
            </div>
          ) : null}
        </div>
        <Checkbox
          className="px-5 py-3"
          defaultChecked={showsContent}
          hint={t('showsContentHint')}
          label={t('showsContent')}
          name="showsContent"
        />
      </Card>
      <Button pending={pending} tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}

function toQuietHours({ quiet, from, until }: Fields): WebPushView['quietHours'] {
  if (quiet === undefined || !from || !until) return null;
  return { from, until, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };
}

interface TimeFieldProps {
  id: string;
  name: string;
  label: string;
  value: string;
}

function TimeField({ id, name, label, value }: TimeFieldProps): ReactNode {
  return (
    <Field id={id} label={label} required>
      {(control) => <Input {...control} className="w-36" defaultValue={value} name={name} type="time" />}
    </Field>
  );
}
