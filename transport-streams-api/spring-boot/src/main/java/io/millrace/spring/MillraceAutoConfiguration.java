package io.millrace.spring;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Starts a transport with the properties below {@code millrace}, and serves the routes of the
 * application's beans. Beans of the application of the same type take precedence.
 */
@AutoConfiguration
public class MillraceAutoConfiguration {
  /** The property of Spring that limits a phase of its shutdown. */
  static final String PHASE_TIMEOUT = "spring.lifecycle.timeout-per-shutdown-phase";

  /** Of the time of a phase, this part is for the drain, and the rest to close the node. */
  private static final double DRAINING_PART = 0.9;

  /** Creates the configuration, as Spring does. */
  public MillraceAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  TransportSettings millraceSettings(ConfigurableEnvironment environment) {
    return EnvironmentSettings.of(environment);
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  Transport millraceTransport(
      TransportSettings settings, ObjectProvider<TransportCustomizer> customizers) {
    Transport.Builder builder = Transport.builder(settings);
    customizers.orderedStream().forEach(each -> each.customize(builder));
    return builder.start();
  }

  @Bean
  @ConditionalOnMissingBean
  RouteFactory millraceRouteFactory(ConfigurableListableBeanFactory beans) {
    return new RouteFactory(beans);
  }

  @Bean
  @ConditionalOnMissingBean
  TransportLifecycle millraceLifecycle(
      Transport transport,
      TransportSettings settings,
      RouteFactory codecs,
      ConfigurableListableBeanFactory beans,
      ConfigurableEnvironment environment) {
    return new TransportLifecycle(
        transport,
        new RouteRegistrar(beans, codecs, environment),
        drainLimit(settings.limits().process().shutdownDrain(), environment));
  }

  /** The drain's own limit, or most of the time of a phase of Spring if that is shorter. */
  static Duration drainLimit(Duration own, ConfigurableEnvironment environment) {
    String text = environment.getProperty(PHASE_TIMEOUT, "30s");
    Duration phase = DurationStyle.detectAndParse(text);
    Duration most = Duration.ofMillis((long) (phase.toMillis() * DRAINING_PART));
    return own.compareTo(most) < 0 ? own : most;
  }
}
