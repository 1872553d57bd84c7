declare module 'virtual:operator-routes' {
  /** Method and path of each operation of the operator door. */
  export const routes: Readonly<Record<string, readonly [method: string, path: string]>>
}
