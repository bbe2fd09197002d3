/** JSON by Jackson, for applications that have {@code jackson-databind} on their class path. */
@NullMarked
package io.millrace.api.codec.jackson;

import org.jspecify.annotations.NullMarked;
