@NullMarked
package io.millrace.api;

import org.jspecify.annotations.NullMarked;
