import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { DocsSteps } from '@/components/docs/docs-steps';
import { ErrorList, Ticked } from '@/components/docs/error-list';
import { PageHeader } from '@/components/shell/page-header';
import { listDocs } from '@/lib/docs';
import { problemGuides, problemLead } from '@/lib/http/problem-guide';
import { statusOf } from '@/lib/http/render-error';
import type { ErrorCode } from '@/lib/platform/errors';

export const metadata: Metadata = {
  title: 'Errors',
  description: 'Every error code: why it comes, and what helps.',
  alternates: { canonical: '/docs/errors', types: { 'text/markdown': '/docs/errors.md' } },
};

export default function ErrorsPage(): ReactNode {
  const codes = Object.keys(problemGuides) as ErrorCode[];
  return (
    <>
      <PageHeader lead={<Ticked text={problemLead} />} title="Errors" />
      <ErrorList entries={codes.map((code) => ({ code, status: statusOf(code), ...problemGuides[code] }))} />
      <DocsSteps entries={listDocs()} slug="errors" />
    </>
  );
}
