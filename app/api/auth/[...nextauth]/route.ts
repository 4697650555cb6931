import { nextAuth } from '@/lib/endpoints/identity/next-auth/next-auth';
import { serveOr } from '@/lib/endpoints/mount';

export const GET = serveOr(nextAuth);
export const POST = serveOr(nextAuth);
export { DELETE, PATCH, PUT } from '@/lib/endpoints/mount';
