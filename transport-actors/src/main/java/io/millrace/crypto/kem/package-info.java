/** Key encapsulation by ML-KEM-768 (FIPS 203), which handshakes add to the key exchange of TLS. */
@NullMarked
package io.millrace.crypto.kem;

import org.jspecify.annotations.NullMarked;
