import type { Address } from '@vitrine/contract'
import { countryName } from '../../ui/names.ts'

/** An address as it stands on a parcel. */
export function AddressLines({ address }: { readonly address: Address | undefined }) {
  if (!address) return <>none</>
  const { recipientName, company, line1, line2, line3, dependentLocality, postalCode, city, region } = address
  const lines = [
    recipientName,
    company,
    line1,
    line2,
    line3,
    dependentLocality,
    [postalCode, city].filter(Boolean).join(' '),
    [region, countryName(address.countryCode)].filter(Boolean).join(', '),
    address.phone,
  ].filter(Boolean)
  return (
    <address>
      {lines.map((line, index) => (
        <span key={`${line}${index}`}>
          {line}
          <br />
        </span>
      ))}
    </address>
  )
}
