@NullMarked
package io.millrace.engine;

import org.jspecify.annotations.NullMarked;
