/** Tests of the machines of write tokens. */
@NullMarked
package io.millrace.protocol.region;

import org.jspecify.annotations.NullMarked;
