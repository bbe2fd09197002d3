package io.millrace.spring;

import io.millrace.api.Transport;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the transport, where {@code spring-boot-health} is on the class path. */
@AutoConfiguration(after = MillraceAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Transport.class)
@ConditionalOnEnabledHealthIndicator("millrace")
public class MillraceHealthAutoConfiguration {
  /** Creates the configuration, as Spring does. */
  public MillraceHealthAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(name = "millraceHealthIndicator")
  HealthIndicator millraceHealthIndicator(Transport transport, TransportLifecycle lifecycle) {
    return new MillraceHealth(transport, lifecycle);
  }
}
