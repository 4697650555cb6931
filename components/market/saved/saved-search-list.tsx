'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { SavedSearchView } from '@/lib/discovery/schema-saved-searches';
import { callApi } from '../../forms/call-api';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { routes } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { CodeBlock } from '../../ui/display/code-block';
import { DateTime } from '../../ui/display/date-time';
import { EmptyNote } from '../../ui/display/empty-note';
import { toast } from '../../ui/overlays/toast';
import { catalogHref, readCatalogQuery } from '../listing/catalog-url';
import { EditSearchDialog } from './edit-search-dialog';

/** A saved search with its words and filters in a line. */
export interface DescribedSearch extends SavedSearchView {
  description: string;
}

/** The user's saved searches: open, change, delete, and replace the URL of a feed. */
export function SavedSearchList({ searches }: { searches: DescribedSearch[] }): ReactNode {
  const t = useTranslations('market.savedSearchList');
  if (searches.length === 0) {
    return (
      <EmptyNote action={<LinkButton href={routes.catalog}>{t('search')}</LinkButton>} title={t('empty')}>
        {t('emptyHint')}
      </EmptyNote>
    );
  }
  return (
    <Card>
      <ul className="divide-y divide-line">
        {searches.map((search) => (
          <SavedSearchRow key={search.id} search={search} />
        ))}
      </ul>
    </Card>
  );
}

function SavedSearchRow({ search }: { search: DescribedSearch }): ReactNode {
  const t = useTranslations('market.savedSearchList');
  const router = useRouter();
  const [editing, setEditing] = useState(false);
  const [feedUrl, setFeedUrl] = useState<string | null>(null);
  const { id, name, query, mail, feed, checkedAt } = search;
  const path = `/api/saved-searches/${encodeURIComponent(id)}`;

  async function renewFeed(): Promise<void> {
    const response = await callApi('POST', `${path}/feed`);
    if (!response.ok) {
      toast({ tone: 'danger', text: response.problem.title });
      return;
    }
    setFeedUrl((response.body as { feedUrl: string }).feedUrl);
    router.refresh();
  }

  function done(text: string): void {
    setFeedUrl(null);
    toast({ tone: 'good', text });
    router.refresh();
  }

  return (
    <li className="p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h3 className="font-medium [overflow-wrap:anywhere]">
            <Link className="text-link" dir="auto" href={catalogHref(readCatalogQuery(query))} prefetch={false}>
              {name}
            </Link>
          </h3>
          <p className="mt-1 text-sm text-muted [overflow-wrap:anywhere]" dir="auto">
            {search.description}
          </p>
          <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
            {mail ? <Badge>{t('mail')}</Badge> : null}
            {feed ? <Badge>{t('feed')}</Badge> : null}
            {mail || feed ? null : <span>{t('silent')}</span>}
            <span>
              {checkedAt ? t.rich('checked', { moment: () => <DateTime at={checkedAt} /> }) : t('notChecked')}
            </span>
          </p>
        </div>
        <div className="flex flex-wrap gap-x-2 gap-y-1">
          <Button
            aria-haspopup="dialog"
            aria-label={t('editLabel', { name })}
            onClick={() => setEditing(true)}
            size="sm"
          >
            {t('edit')}
          </Button>
          <ConfirmDialog
            action={t('delete')}
            onDone={() => done(t('deleted'))}
            path={path}
            title={t('deleteTitle', { name })}
            trigger={
              <Button aria-label={t('deleteLabel', { name })} size="sm">
                {t('delete')}
              </Button>
            }
          >
            {t('deleteMeans')}
          </ConfirmDialog>
          <div className="flex flex-wrap gap-x-1 sheet:-ms-2.5">
            {feed ? (
              <ConfirmDialog
                action={t('endFeed')}
                onDone={() => done(t('feedEnded'))}
                path={`${path}/feed`}
                title={t('endFeedTitle', { name })}
                trigger={
                  <Button aria-label={t('endFeedLabel', { name })} size="sm" tone="quiet">
                    {t('endFeed')}
                  </Button>
                }
              >
                {t('endFeedMeans')}
              </ConfirmDialog>
            ) : null}
            <Button
              aria-label={t(feed ? 'renewFeedLabel' : 'newFeedLabel', { name })}
              onClick={() => void renewFeed()}
              size="sm"
              tone="quiet"
            >
              {t(feed ? 'renewFeed' : 'newFeed')}
            </Button>
          </div>
        </div>
      </div>
      {feedUrl ? (
        <div className="mt-4 space-y-3">
          <Alert live="polite" tone="warn">
            {t('feedOnce')}
          </Alert>
          <CodeBlock code={feedUrl} label={t('feedUrl')} wrap />
        </div>
      ) : null}
      {editing ? <EditSearchDialog onClose={() => setEditing(false)} search={search} /> : null}
    </li>
  );
}
