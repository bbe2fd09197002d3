@NullMarked
package io.millrace.config;

import org.jspecify.annotations.NullMarked;
