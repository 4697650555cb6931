import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type QueueQuery, reportReasons, targetKinds } from '@/lib/moderation/schema';
import { Field } from '../forms/field';
import { Input, Select } from '../forms/inputs';
import { moderationPaths, routes } from '../routes';
import { NavLink } from '../shell/current-path';
import { Button, LinkButton } from '../ui/controls/button';

/** Navigation of the moderators' pages. */
export function ModerationNav(): ReactNode {
  const t = useTranslations('moderation.moderationNav');
  return (
    <nav aria-label={t('label')} className="mb-6 flex flex-wrap gap-1 border-b border-line pb-2">
      <NavLink href={routes.moderation} within={`${routes.moderation}/cases`}>
        {t('cases')}
      </NavLink>
      <NavLink href={moderationPaths.disputes}>{t('disputes')}</NavLink>
      <NavLink href={moderationPaths.activity}>{t('activity')}</NavLink>
      <NavLink href={moderationPaths.blockedClients}>{t('blockedClients')}</NavLink>
    </nav>
  );
}

/** Searches and filters the cases of a state. The form is submitted by GET, so that every view has a URL. */
export function CaseFilter({ chosen: { state, kind, reason, q } }: { chosen: QueueQuery }): ReactNode {
  const t = useTranslations('moderation.caseFilter');
  const tWords = useTranslations('moderation.words');
  return (
    <form
      action={routes.moderation}
      aria-label={t('label')}
      className="mb-6 grid grid-cols-2 items-end gap-x-4 gap-y-3 sm:flex sm:flex-wrap"
    >
      <input name="state" type="hidden" value={state} />
      <Field className="col-span-2 sm:w-72" id="case-search" label={t('search')} required>
        {({ required: _, ...control }) => (
          <Input
            {...control}
            autoComplete="off"
            defaultValue={q}
            name="q"
            placeholder={t('searchPlaceholder')}
            type="search"
          />
        )}
      </Field>
      <Field className="min-w-0" id="case-kind" label={t('kind')} required>
        {({ required: _, ...control }) => (
          <Select {...control} className="w-full" defaultValue={kind ?? ''} name="kind">
            <option value="">{t('all')}</option>
            {targetKinds.map((one) => (
              <option key={one} value={one}>
                {tWords(`kinds.${one}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field className="min-w-0" id="case-reason" label={t('reason')} required>
        {({ required: _, ...control }) => (
          <Select {...control} className="w-full" defaultValue={reason ?? ''} name="reason">
            <option value="">{t('all')}</option>
            {reportReasons.map((one) => (
              <option key={one} value={one}>
                {tWords(`reasons.${one}.label`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button type="submit">{t('apply')}</Button>
      {kind || reason || q ? (
        <LinkButton href={queuePath({ state })} tone="quiet">
          {t('clear')}
        </LinkButton>
      ) : null}
    </form>
  );
}

/** Returns the path of the moderators' queue with a filter, without defaults. */
export function queuePath({ state, kind, reason, q, page = 1 }: Partial<QueueQuery>): string {
  const query = new URLSearchParams({
    ...(state && state !== 'open' ? { state } : {}),
    ...(kind ? { kind } : {}),
    ...(reason ? { reason } : {}),
    ...(q ? { q } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
  });
  return query.size > 0 ? `${routes.moderation}?${query}` : routes.moderation;
}
