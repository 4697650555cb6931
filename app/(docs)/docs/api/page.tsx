import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ApiReference } from '@/components/docs/api-reference';
import { DocsSteps } from '@/components/docs/docs-steps';
import { PageHeader } from '@/components/shell/page-header';
import { listDocs } from '@/lib/docs';
import { describeApi } from '@/lib/endpoints/openapi/describe-api';
import { table } from '@/lib/endpoints/table';

export const metadata: Metadata = {
  title: 'API reference',
  description: 'Every endpoint of Parley’s API, to read and to try.',
  alternates: { canonical: '/docs/api', types: { 'application/json': '/openapi.json' } },
};

export default function ApiPage(): ReactNode {
  return (
    <>
      <PageHeader
        lead={
          <>
            Every endpoint below <code className="font-mono">/api</code>, as it checks what it gets. For tools:{' '}
            <a className="text-link" href="/openapi.json">
              openapi.json
            </a>{' '}
            (OpenAPI 3.1). Try a request with your own session, or with an access token.
          </>
        }
        title="API reference"
      />
      <ApiReference api={describeApi(table)} />
      <DocsSteps entries={listDocs()} slug="api" />
    </>
  );
}
