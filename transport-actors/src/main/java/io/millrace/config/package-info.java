/** Settings: records read once from HOCON and validated with the name of the bad key. */
@NullMarked
package io.millrace.config;

import org.jspecify.annotations.NullMarked;
