import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type ActivityTopic, activityTopics } from '@/lib/account/schema';
import { Field } from '../forms/field';
import { Select } from '../forms/inputs';
import { routes } from '../routes';
import { Button } from '../ui/controls/button';

/** Limits the activity log to one topic; submits by GET, so every view has a URL. */
export function ActivityFilter({ topic }: { topic: ActivityTopic | undefined }): ReactNode {
  const t = useTranslations('account.activityFilter');
  return (
    <form action={routes.activity} aria-label={t('label')} className="flex flex-wrap items-end gap-3">
      <Field id="topic" label={t('topic')} required>
        {({ required: _, ...control }) => (
          <Select {...control} defaultValue={topic ?? ''} name="topic">
            <option value="">{t('all')}</option>
            {activityTopics.map((one) => (
              <option key={one} value={one}>
                {t(`topics.${one}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button type="submit">{t('apply')}</Button>
    </form>
  );
}
