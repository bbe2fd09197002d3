/** Tests of the transport for actors. */
@NullMarked
package io.millrace.api.actor;

import org.jspecify.annotations.NullMarked;
