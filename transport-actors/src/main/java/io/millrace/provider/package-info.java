/** How implementations of drivers, ciphers and handshakes are found on the class path. */
@NullMarked
package io.millrace.provider;

import org.jspecify.annotations.NullMarked;
