export { getCase, getModerationActivity, listCases } from './case-queue';
export { decideCases, sendDecisionEmails } from './decide-cases';
export { appealCase, findOwnCase, getOwnCase, listOwnAppeals, listOwnReports } from './own-cases';
export { getReceipt, reportTarget } from './report-target';
export { eraseModeration, selectTakenDown } from './store/case-changes';
export { nextDecisionEmail } from './store/cases';
