/** JSON by Jackson, for applications with {@code jackson-databind} on the class path. */
@NullMarked
package io.millrace.api.codec.jackson;

import org.jspecify.annotations.NullMarked;
