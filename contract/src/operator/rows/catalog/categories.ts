import { type Static, Type } from 'typebox'
import { id, Slug, Timestamp, Version } from '../../../schemas/common.ts'
import { closed, flag, integer, leftOut, listOf, mapOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { localized, OperatorImage } from './stores.ts'

const tag = 'Categories'
const auth = { kind: 'operator', area: 'catalog' } as const
export const CATEGORIES_MAX = 20_000
const DEPTH_MAX = 6
const CategoryId = id('cat', 'The id of the category.')
const Names = localized(200, 'The name.', 'Shirts')
const Descriptions = mapOf('^[a-zA-Z0-9-]{2,50}$', text(2000, 'The text.', 'Of linen.'), 50, 'The description.', {
  examples: [{ en: 'Of linen.' }],
})
const Status = oneOf(
  ['active', 'archived'],
  '`archived`: hidden, with everything below it. Its products are still sold, and orders keep it.',
)
const Image = orNull(OperatorImage, 'Its picture; `null`: none.')
const Position = integer(0, 1_000_000, 'Its position among its siblings.', 2)
const ParentId = orNull(CategoryId, 'The parent category; `null` for a root.')

export const OperatorCategory = operatorNamed(
  'OperatorCategory',
  closed('A category of products.', {
    id: CategoryId,
    parentId: ParentId,
    store: orNull(Slug, 'The store that owns it; `null`: the whole marketplace.'),
    path: listOf(Slug, DEPTH_MAX, 'Slugs from the root down to it.'),
    names: Names,
    descriptions: Descriptions,
    position: Position,
    image: Image,
    status: Status,
    productCount: integer(0, 2_147_483_647, 'Products in it or below it, published or not.', 24),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type OperatorCategory = Static<typeof OperatorCategory>

const params = closed('The category.', { categoryId: CategoryId })

export const categoryRows = {
  listCategories: operatorOperation({
    method: 'GET',
    path: '/operator/v1/categories',
    tag,
    summary: 'List categories.',
    description:
      'Categories of the marketplace and of stores, archived or not, by position. `q` searches names, paths and ids.',
    auth,
    params: closed('Nothing.', {}),
    query: closed('Filters.', {
      store: Type.Optional(Slug),
      status: Type.Optional(Status),
      q: Type.Optional(leftOut(text(200, 'A part of a name or of the path, or an id.', 'shirt'))),
      limit: Type.Optional(integer(1, CATEGORIES_MAX, 'Categories in the answer.', CATEGORIES_MAX)),
    }),
    data: closed('The categories.', {
      items: listOf(OperatorCategory, CATEGORIES_MAX, 'The categories.'),
      hasMore: flag(
        'Whether there are more categories than one answer has. Narrow them with `store`, `status` or `q`.',
      ),
    }),
    refusals: [],
    store: { slug: 'query', field: 'store' },
  }),
  createCategory: operatorOperation({
    method: 'POST',
    path: '/operator/v1/categories',
    tag,
    summary: 'Create a category.',
    description: 'For the whole marketplace or one store; below a category of the same owner, or as a root.',
    auth,
    params: closed('Nothing.', {}),
    query: closed('Nothing.', {}),
    body: closed('The new category.', {
      slug: Slug,
      parentId: Type.Optional(ParentId),
      store: Type.Optional(Slug),
      names: Names,
      descriptions: Type.Optional(Descriptions),
      position: Type.Optional(Position),
      image: Type.Optional(leftOut(OperatorImage)),
    }),
    data: OperatorCategory,
    refusals: ['not_found', 'name_taken', 'state_conflict'],
    store: { slug: 'body', field: 'store' },
  }),
  updateCategory: operatorOperation({
    method: 'PATCH',
    path: '/operator/v1/categories/{categoryId}',
    tag,
    summary: 'Update, archive or restore a category.',
    description:
      'Partial update. Archiving takes along everything below the category, and restoring brings it back. To move a category, or to change its slug, see moveCategory.',
    auth,
    params,
    query: closed('Nothing.', {}),
    body: closed(
      'Fields to update.',
      {
        names: Type.Optional(Names),
        descriptions: Type.Optional(Descriptions),
        position: Type.Optional(Position),
        image: Type.Optional(Image),
        status: Type.Optional(Status),
        expectedVersion: Type.Optional(Version),
      },
      { minProperties: 1 },
    ),
    data: OperatorCategory,
    refusals: ['not_found', 'version_conflict', 'state_conflict'],
    store: { object: 'category', field: 'categoryId' },
  }),
  moveCategory: operatorOperation({
    method: 'POST',
    path: '/operator/v1/categories/{categoryId}/move',
    tag,
    summary: 'Move a category with its subcategories and products.',
    description:
      'A new slug changes its URL. A job lists its products at the new position, 500 per transaction. Their versions stay.',
    auth,
    params,
    query: closed('Nothing.', {}),
    body: closed('The new position.', {
      parentId: ParentId,
      slug: Type.Optional(Slug),
      expectedVersion: Type.Optional(Version),
    }),
    data: OperatorCategory,
    refusals: ['not_found', 'version_conflict', 'name_taken', 'state_conflict'],
    store: { object: 'category', field: 'categoryId' },
  }),
}
