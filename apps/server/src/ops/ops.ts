/** Running the site: health, metrics, the audit log, an orderly end. */
export { type Audit, type AuditRecord, auditRights, createAudit, verifyAudit } from './audit.ts';
export { ANCHOR_FILES, type Anchor, createAnchors, keptAnchors } from './audit-anchors.ts';
export { type Backups, openBackups } from './backups.ts';
export { type HealthDoor, healthRoutes, openHealthDoor } from './health.ts';
export { createMetrics, type ProviderMetrics } from './metrics.ts';
export { createRetention } from './retention.ts';
export { endBeforeStart, endInOrder, endOnSignals } from './shutdown.ts';
