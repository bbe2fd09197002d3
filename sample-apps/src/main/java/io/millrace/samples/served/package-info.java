/** What the {@code serve} command serves: its routes, and the payload that a load sends to them. */
@NullMarked
package io.millrace.samples.served;

import org.jspecify.annotations.NullMarked;
