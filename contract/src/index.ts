export * from './operation.ts'
export * from './refusals.ts'
export { refusalsOf } from './refusals-of.ts'
export { PublicErrorConflict, PublicErrorDetail, PublicErrorResponse } from './schemas/error.ts'
