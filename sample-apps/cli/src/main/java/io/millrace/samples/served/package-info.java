/**
 * The services of the {@code serve} command: its routes, and the payload of a load on these routes.
 */
@NullMarked
package io.millrace.samples.served;

import org.jspecify.annotations.NullMarked;
